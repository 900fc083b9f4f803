package watch

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:\n%s", what, diff)
	}
}

func TestWatch_FileIsImportedOnce_WhenItHasNotChangedForTheSettleTime(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		d.write("kia/there-before.csv", "a")
		d.start()
		same(t, "before it settles", []string(nil), d.after(settle-1))
		same(t, "once it has", []string{"kia there-before.csv a"}, d.after(1))
		same(t, "files", []string{"kia/imported/there-before.csv"}, d.files())

		d.write("kia/slow.csv", "1")
		d.after(rescanEvery - settle) // it is found, and settles from then on
		for range 4 {
			d.write("kia/slow.csv", "1"+string(must(os.ReadFile(d.path("kia/slow.csv")))))
			same(t, "while it is written", []string(nil), d.after(settle-1))
		}
		same(t, "once it has settled", []string{"kia slow.csv 11111"}, d.after(2*settle))
		same(t, "later", []string(nil), d.after(time.Hour))
		d.end()
		d.start()
		same(t, "after a restart", []string(nil), d.after(time.Hour))
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestWatch_TemporaryName_IsIgnoredUntilRenamed(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		d.tenant = "kia"
		names := []string{".feed.csv", "feed.csv.tmp", "feed.csv.part", "feed.csv.FILEPART", "feed.csv~"}
		for _, name := range names {
			d.write(name, "x")
		}
		d.start()
		same(t, "imported", []string(nil), d.after(time.Hour))
		d.do(os.Rename(d.path("feed.csv.tmp"), d.path("feed.csv")))
		same(t, "renamed", []string{"kia feed.csv x"}, d.after(rescanEvery+settle))
	})
}

func TestWatch_TenantsFiles_InTheirOrderOfArrival(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for i, name := range []string{"c.csv", "a.csv", "b.csv"} {
			d.write("kia/"+name, "")
			d.do(os.Chtimes(d.path("kia/"+name), at, at.Add(time.Duration(i)*time.Second)))
		}
		d.start()
		d.write("kia/0-later.csv", "")
		d.do(os.Chtimes(d.path("kia/0-later.csv"), at, at.Add(-time.Hour)))
		same(t, "there at the start", []string{"kia c.csv ", "kia a.csv ", "kia b.csv "}, d.after(settle))
		same(t, "came later", []string{"kia 0-later.csv "}, d.after(time.Hour))
	})
}

func TestWatch_FileThatFailed_IsMovedWithItsReport(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		d.answer = func(_ context.Context, _, _, text string) (Result, error) {
			return Result{Failed: text == "bad", Report: map[string]string{"says": text}}, nil
		}
		d.write("kia/feed.csv", "bad")
		d.start()
		d.after(settle)
		d.write("kia/feed.csv", "good")
		d.after(rescanEvery)
		d.write("kia/feed.csv", "good") // at 2000-01-01T00:00:12Z, found at :20, settled at :22
		d.after(rescanEvery)
		same(t, "files", []string{
			"kia/failed/feed.csv", "kia/failed/feed.csv.report.json",
			"kia/imported/feed-20000101T000022.000Z.csv", "kia/imported/feed-20000101T000022.000Z.csv.report.json",
			"kia/imported/feed.csv", "kia/imported/feed.csv.report.json",
		}, d.files())
		same(t, "report", "{\n  \"says\": \"bad\"\n}\n", string(must(os.ReadFile(d.path("kia/failed/feed.csv.report.json")))))
		if d.logged("level=ERROR") != 1 || d.logged("feed imported") != 2 {
			t.Errorf("log:\n%s", d.log.String())
		}
	})
}

func TestWatch_Outage_KeepsTheFileAndThoseBehindIt_AndNobodyElses(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		var outage atomic.Bool
		outage.Store(true)
		d.answer = func(_ context.Context, tenant, _, _ string) (Result, error) {
			if tenant == "kia" && outage.Load() {
				return Result{}, errors.New("nobody answers")
			}
			return Result{}, nil
		}
		d.write("kia/1.csv", "")
		d.write("kia/2.csv", "")
		d.write("seat/1.csv", "")
		d.start()
		d.after(settle)
		same(t, "files", []string{"kia/1.csv", "kia/2.csv", "seat/imported/1.csv"}, d.files())
		// Tried again after 1, 2, 4, 8, 16 and then every 30 seconds.
		same(t, "tries", 5+2, len(d.after(91*time.Second)))
		outage.Store(false)
		same(t, "the outage is over", []string{"kia 1.csv ", "kia 2.csv "}, d.after(longestDelay))
		same(t, "files", []string{"kia/imported/1.csv", "kia/imported/2.csv", "seat/imported/1.csv"}, d.files())
	})
}

func TestWatch_FileThatChangesWhileItWaits_SettlesAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		d.answer = func(_ context.Context, _, _, text string) (Result, error) {
			if text == "old" {
				return Result{}, errors.New("nobody answers")
			}
			return Result{}, nil
		}
		d.write("kia/feed.csv", "old")
		d.start()
		same(t, "imported", []string{"kia feed.csv old"}, d.after(settle))
		d.write("kia/feed.csv", "newer")
		same(t, "imported", []string{"kia feed.csv newer"}, d.after(firstDelay+settle))
	})
}

func TestWatch_FileThatChangesWhileItIsImported_IsImportedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		d.answer = func(_ context.Context, _, _, text string) (Result, error) {
			if text == "old" {
				d.write("kia/feed.csv", "newer")
			}
			return Result{}, nil
		}
		d.write("kia/feed.csv", "old")
		d.start()
		same(t, "imported", []string{"kia feed.csv old", "kia feed.csv newer"}, d.after(2*settle))
		same(t, "files", []string{"kia/imported/feed.csv"}, d.files())
		same(t, "kept", "newer", string(must(os.ReadFile(d.path("kia/imported/feed.csv")))))
	})
}

func TestWatch_EndWhileImporting_LeavesTheFileToTheNextStart(t *testing.T) {
	inBubble(t, func(t *testing.T, d *desk) {
		d.answer = func(ctx context.Context, _, _, _ string) (Result, error) {
			<-ctx.Done()
			return Result{}, ctx.Err()
		}
		d.write("kia/feed.csv", "x")
		d.start()
		d.after(settle)
		d.end()
		same(t, "files", []string{"kia/feed.csv"}, d.files())
		if d.logged("feed left alone at the end") != 1 || d.logged("WARN") != 0 {
			t.Errorf("log:\n%s", d.log.String())
		}
		d.answer, d.imported = nil, nil
		d.start()
		same(t, "imported", []string{"kia feed.csv x"}, d.after(settle))
	})
}
