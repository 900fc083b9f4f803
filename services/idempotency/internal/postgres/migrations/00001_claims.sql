-- The rows of idempotency keys. No column holds a value of a customer: a key is known by its digest, a payload by its fingerprint.

-- +goose Up
CREATE TABLE idempotency.claims (
    digest           bytea       NOT NULL,
    -- The day of changed_at and random bits (revision.go): of no other row, nor of another state of this one.
    revision         bigint      NOT NULL,
    fingerprint      bytea       NOT NULL,
    first_claimed_at timestamptz NOT NULL,
    -- Who holds the claim and until when; both NULL once there is an outcome.
    owner            text,
    lease_expires_at timestamptz,
    outcome          bytea,
    -- Whether anyone has waited for a change. Only changes of such rows are notified: NOTIFY lets no two transactions of a database
    -- commit at the same time.
    awaited          boolean     NOT NULL DEFAULT false,
    -- Decides the partition. A row past the retention counts as absent until its partition is dropped.
    changed_at       timestamptz NOT NULL
) PARTITION BY RANGE (changed_at);

-- Every function first takes the lock of the key, whose row may be in any partition, so that the changes of one key come one after
-- another; what it reads after that is what the one before has committed. None does anything the second time. Rows are looked for
-- between instants, since or before, which leave few partitions to look into.
--
-- synchronous_commit: a claim is on disk before it is granted, or a crash would let two attempts hold one key. Whatever else a crash
-- takes back is found again: an outcome and a removal leave a claim whose lease runs out, after which the log tells what became of it.

-- insert_row returns the key's row or, when there is none, inserts one and returns nothing.
-- +goose StatementBegin
CREATE FUNCTION idempotency.insert_row(
    key_lock bigint, key bytea, new_revision bigint, of bytea, first timestamptz, holder text, lease timestamptz, result bytea,
    at timestamptz, since timestamptz
) RETURNS SETOF idempotency.claims LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(key_lock);
    RETURN QUERY
        SELECT * FROM idempotency.claims c
        WHERE c.digest = key AND c.changed_at >= since
        ORDER BY c.changed_at DESC LIMIT 1;
    IF FOUND THEN
        RETURN;
    END IF;
    IF holder IS NULL THEN
        PERFORM set_config('synchronous_commit', 'off', true);
    END IF;
    INSERT INTO idempotency.claims VALUES (key, new_revision, of, first, holder, lease, result, false, at);
END $$;
-- +goose StatementEnd

-- replace_row changes the row at a revision. It is false when there is none, and true when it has been changed so already.
-- +goose StatementBegin
CREATE FUNCTION idempotency.replace_row(
    key_lock bigint, key bytea, old_revision bigint, new_revision bigint, of bytea, first timestamptz, holder text,
    lease timestamptz, result bytea, at timestamptz, since timestamptz, before timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    was_awaited boolean;
BEGIN
    PERFORM pg_advisory_xact_lock(key_lock),
        CASE WHEN holder IS NULL THEN set_config('synchronous_commit', 'off', true) END;
    UPDATE idempotency.claims c
    SET revision = new_revision, fingerprint = of, first_claimed_at = first, owner = holder, lease_expires_at = lease,
        outcome = result, changed_at = at
    WHERE c.digest = key AND c.revision = old_revision AND c.changed_at >= since AND c.changed_at < before
    RETURNING c.awaited INTO was_awaited;
    IF NOT FOUND THEN
        RETURN EXISTS (
            SELECT FROM idempotency.claims c
            WHERE c.digest = key AND c.revision = new_revision AND c.changed_at >= since);
    END IF;
    IF was_awaited THEN
        PERFORM pg_notify('idempotency', old_revision::text);
    END IF;
    RETURN true;
END $$;
-- +goose StatementEnd

-- remove_row deletes the row at a revision. It is false when there is none.
-- +goose StatementBegin
CREATE FUNCTION idempotency.remove_row(key_lock bigint, key bytea, old_revision bigint, since timestamptz, before timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    was_awaited boolean;
BEGIN
    PERFORM pg_advisory_xact_lock(key_lock), set_config('synchronous_commit', 'off', true);
    DELETE FROM idempotency.claims c
    WHERE c.digest = key AND c.revision = old_revision AND c.changed_at >= since AND c.changed_at < before
    RETURNING c.awaited INTO was_awaited;
    IF was_awaited THEN
        PERFORM pg_notify('idempotency', old_revision::text);
    END IF;
    RETURN was_awaited IS NOT NULL;
END $$;
-- +goose StatementEnd

-- await_row has the next change of the row at a revision notified. It is false when there is none: the change has happened.
-- +goose StatementBegin
CREATE FUNCTION idempotency.await_row(key_lock bigint, key bytea, old_revision bigint, since timestamptz, before timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    was_awaited boolean;
BEGIN
    PERFORM pg_advisory_xact_lock(key_lock), set_config('synchronous_commit', 'off', true);
    SELECT c.awaited INTO was_awaited FROM idempotency.claims c
    WHERE c.digest = key AND c.revision = old_revision AND c.changed_at >= since AND c.changed_at < before;
    IF NOT was_awaited THEN
        UPDATE idempotency.claims c SET awaited = true
        WHERE c.digest = key AND c.revision = old_revision AND c.changed_at >= since AND c.changed_at < before;
    END IF;
    RETURN was_awaited IS NOT NULL;
END $$;
-- +goose StatementEnd
