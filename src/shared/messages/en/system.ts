import { formatCount } from '../format.ts';
import { plural } from './language.ts';

/** The page about the state of the installation. */
export const title = 'System';
export const notRead = 'The state of the system could not be read';
export const installation = 'Installation';
export const version = 'Version';
export const versionOf = ({ version, commit }: { version: string; commit: string }) =>
  commit === 'unknown' ? version : `${version} (${commit})`;
export const node = 'Node.js';
export const database = 'Database';
export const databaseOf = ({
  name,
  version,
  size,
}: {
  name: string;
  version: string;
  size: string;
}) => `${name} ${version}, ${size}`;
export const schemaVersion = 'Version of the database schema';
export const process = 'Process';
export const processOf = ({ pid, host }: { pid: number; host: string }) => `${pid} on ${host}`;
export const startedAt = 'Running since';
export const archives = 'Archives';
export const archivesOf = ({ archives, documents }: { archives: number; documents: number }) =>
  plural(documents, {
    one: `${formatCount(archives)} with 1 revision`,
    other: `${formatCount(archives)} with ${formatCount(documents)} revisions`,
  });
export const tables = 'Tables';
export const tablesOf = ({ tables, datasets }: { tables: number; datasets: number }) =>
  plural(datasets, {
    one: `${formatCount(tables)} with 1 record`,
    other: `${formatCount(tables)} with ${formatCount(datasets)} records`,
  });
export const historyEntries = 'History entries';
export const malwareScanner = 'Malware scanner';
export const noMalwareScanner = 'None: uploaded files are not scanned';
export const scannerFails = (problem: string) => `Files cannot be uploaded. ${problem}`;
export const documentation = 'Interface';
export const openDocumentation = 'Description of the REST interface';
export const growth = 'Growth';
export const growthEmpty = 'The size is measured once an hour. There is one point for each day.';
export const databaseSize = 'Database';
export const fileSize = 'Documents’ files';
export const load = 'Load in the last hour';
export const loadEmpty = 'The first values appear 20 seconds after the start of the service.';
export const requests = 'Requests per second';
export const latency = 'Latency, 95th percentile';
export const writes = 'Writes per second';
export const waitingWrites = 'Waiting writes';
export const eventLoopDelay = 'Event loop delay, 99th percentile';
export const processor = 'Processor';
export const memory = 'Memory';
export const milliseconds = (value: string) => `${value} ms`;
export const percent = (value: string) => `${value} %`;
export const settings = 'Settings in effect';
export const setting = 'Setting';
export const value = 'Value';
export const source = 'Set by';
export const byDefault = 'Default';
export const byOption = (name: string) => `Option --${name}`;
export const byVariable = (name: string) => `Variable ${name}`;
export const secret = 'Not shown';
export const notSet = 'Not set';
