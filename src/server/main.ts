import { runCommandLine } from './cli/cli.ts';

// All that is written holds records or passwords' hashes: directories become 0700 and files 0600.
process.umask(0o077);

process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
