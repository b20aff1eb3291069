import { runCommandLine } from './cli/cli.ts';

// All files may contain records or password hashes: directories get mode 0700, files 0600.
process.umask(0o077);

process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
