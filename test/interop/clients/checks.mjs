// What every TypeScript client must get from Forecourt, whatever its major version and protocol revision.
//
// Each check prints one line of JSON, {"name": …} or {"name": …, "error": …}; the Go test turns each into a subtest.
// The last line, {"name": "finished"}, tells it that nothing was cut short.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const calls = JSON.parse(readFileSync(new URL('../calls.json', import.meta.url), 'utf8'));
const AAP = 'autoagentprotocol.org/aap';

/**
 * Runs every check.
 *
 * client: a connected SDK client. revision: the protocol revision it must have negotiated. agent: names the caller, and
 * its idempotency key, so that no two clients share a lead. validator: the SDK's own JSON Schema validator.
 */
export async function runChecks({ client, revision, negotiated, agent, validator }) {
  await check('negotiates ' + revision, () => assert.equal(negotiated, revision));

  let tools = [];
  await check('tools/list', async () => {
    tools = (await client.listTools()).tools;
    assert.deepEqual(tools.map((t) => t.name), calls.answered.map((c) => c.tool));
    for (const tool of tools) {
      assert.equal(tool._meta[AAP].version, '3.0.0', tool.name);
      assert.equal(tool.annotations.openWorldHint, true, tool.name);
    }
  });

  const filled = { $agent: agent, $vehicle_id: undefined };
  for (const call of calls.answered) {
    await check('tools/call ' + call.tool, async () => {
      const result = await client.callTool({ name: call.tool, arguments: fill(call.arguments, filled) });
      assertAnswer(result, call.response, false);
      assertSchemaHolds(validator, tools, call.tool, result.structuredContent);
      if (call.tool === 'aap_inventory_search') {
        filled.$vehicle_id = result.structuredContent.data.vehicles[0].vehicle_id;
      }
      if (call.tool === 'aap_lead_submit') {
        assertReplay(result, await client.callTool({ name: call.tool, arguments: fill(call.arguments, filled) }));
      }
    });
  }

  for (const call of calls.refused) {
    await check('refuses ' + call.name, async () => {
      const result = await client.callTool({ name: call.tool, arguments: call.arguments });
      assertAnswer(result, 'aap.error', true);
      assertSchemaHolds(validator, tools, call.tool, result.structuredContent);
      assert.equal(result.structuredContent.code, call.code);
    });
  }

  await check('an unknown tool is a protocol error', () =>
    assert.rejects(client.callTool({ name: 'aap_no_such_tool', arguments: {} }), (err) => err.code === -32602));

  await check('closes', () => client.close());
  print({ name: 'finished' });
}

function fill(args, values) {
  return JSON.parse(JSON.stringify(args), (_, value) => (Object.hasOwn(values, value) ? values[value] : value));
}

function assertAnswer(result, type, isError) {
  assert.equal(result.isError ?? false, isError, JSON.stringify(result.structuredContent));
  assert.equal(result.structuredContent.type, type);
  assert.equal(result.content.length, 1);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
}

// The client has accepted the result already. This shows that it had a schema to hold it to, and that the schema bites.
function assertSchemaHolds(validator, tools, name, structured) {
  const validate = validator.getValidator(tools.find((t) => t.name === name).outputSchema);
  const verdict = validate(structured);
  assert.ok(verdict.valid, verdict.errorMessage);
  assert.ok(!validate({ ...structured, type: 'no.such.type' }).valid, 'the output schema accepts any type');
}

function assertReplay(first, second) {
  assert.ok(!first._meta?.[AAP]?.replayed, 'the first submission is marked replayed');
  assert.equal(second._meta[AAP].replayed, true);
  assert.deepEqual(second.structuredContent, first.structuredContent);
  assert.equal(second.content[0].text, first.content[0].text);
}

async function check(name, body) {
  try {
    await body();
    print({ name });
  } catch (err) {
    print({ name, error: err.stack ?? String(err) });
  }
}

function print(line) {
  process.stdout.write(JSON.stringify(line) + '\n');
}
