import { runCommandLine } from '#server/cli/cli.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';

/** Runs a command within this process. */
export async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const told: string[] = [];
  const tell = (line: string) => void told.push(line);
  const code = await runCommandLine(args, environment, { out: tell, err: tell });
  return { code, told: told.join('\n') };
}

/** The arguments of `copy` for one of its sides. */
export const sideOf = (side: 'from' | 'to', { dataDir, databaseUrl }: DatabaseConfig) =>
  databaseUrl === undefined
    ? [`--${side}`, dataDir]
    : [`--${side}`, databaseUrl, `--${side}-data`, dataDir];
/** The arguments by which other commands find an installation. */
export const placeOf = ({ dataDir, databaseUrl }: DatabaseConfig) => [
  '--data',
  dataDir,
  ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
];
