// The 1.x TypeScript SDK, which speaks 2025-11-25. Usage: node sdk-1x.mjs URL REVISION
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { runChecks } from './checks.mjs';

const [url, revision] = process.argv.slice(2);
const validator = new AjvJsonSchemaValidator();
const client = new Client({ name: 'interop', version: '1.0.0' }, { jsonSchemaValidator: validator });
const transport = new StreamableHTTPClientTransport(new URL(url));
await client.connect(transport);
await client.ping();
await runChecks({ client, revision, negotiated: transport.protocolVersion, agent: 'interop-sdk-1x', validator });
