// The 2.x TypeScript client, which speaks both revisions. Usage: node client-2x.mjs URL REVISION MODE, where MODE is
// legacy (initialize), auto (server/discover, else initialize) or pin (REVISION and nothing else).
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { runChecks } from './checks.mjs';

const [url, revision, mode] = process.argv.slice(2);
const validator = new AjvJsonSchemaValidator();
const client = new Client(
  { name: 'interop', version: '1.0.0' },
  { jsonSchemaValidator: validator, versionNegotiation: { mode: mode === 'pin' ? { pin: revision } : mode } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await runChecks({
  client,
  revision,
  negotiated: client.getNegotiatedProtocolVersion(),
  agent: 'interop-client-2x-' + mode,
  validator,
});
