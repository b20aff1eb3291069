import * as texts from '#messages/service/help.ts';
import { SERVE_OPTIONS, type Option } from '#server/config.ts';

const INDENT = 24;
const WIDTH = 110;

/** An option with its description, wrapped beside it. */
function describe({ flag, variable, isSecret, value, description }: Option): string {
  const name = isSecret ? variable : `--${flag} ${value}`.trimEnd();
  const lines: string[] = [];
  let line = `  ${name}`.padEnd(INDENT);
  if (!line.endsWith(' ')) {
    lines.push(line);
    line = ' '.repeat(INDENT);
  }
  for (const word of description.split(' ')) {
    if (line.length + word.length > WIDTH) {
      lines.push(line.trimEnd());
      line = ' '.repeat(INDENT);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

/** The options of every command: the database and the documents' files. */
const SHARED = /^(?:data|database-url|files|s3-.*)$/;
const WHERE = SERVE_OPTIONS.filter(({ flag }) => SHARED.test(flag))
  .map(describe)
  .join('\n');

/** By command. */
export const HELP = {
  serve: texts.serve(SERVE_OPTIONS.map(describe).join('\n')),
  load: texts.load(WHERE),
  define: texts.define(WHERE),
  archive: texts.retirement('archive', WHERE),
  table: texts.retirement('table', WHERE),
  user: texts.user(WHERE),
  group: texts.group(WHERE),
  secret: texts.secret(WHERE),
  migrate: texts.migrate(WHERE),
  verify: texts.verify(WHERE),
  copy: texts.copy,
  backup: texts.backup(WHERE),
  restore: texts.restore(WHERE),
} as const;
