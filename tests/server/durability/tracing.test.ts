import { expect, test } from 'vitest';
import { findViolations } from './order-of-syncs.ts';
import { parseTrace, targetOf } from './tracing.ts';

const HEADER = String.raw`"\0\0\0\5\0\0\0\t0123456789abcdef", 24, 32) = 24`;
const WAL = '9</data/x.sqlite-wal>';
const ANSWER = '7  write(20<TCP:[127.0.0.1:80->127.0.0.1:90]>, "HTTP/1.1 200 OK token", 21) = 21';

test('reads calls that others interrupt', () => {
  const [sync, write] = parseTrace(
    [
      `8  fsync(11</data/files/a> <unfinished ...>`,
      `7  write(20<TCP:[127.0.0.1:80->127.0.0.1:90]>, "a) = 1", 6) = 6`,
      '8  <... fsync resumed>)              = 0',
      '7  +++ exited with 0 +++',
    ].join('\n'),
  );
  expect(sync).toMatchObject({ name: 'fsync', begin: 0, end: 2, result: 0 });
  expect(sync && targetOf(sync)).toBe('/data/files/a');
  expect(write).toMatchObject({ name: 'write', begin: 1, end: 1, result: 6 });
  expect(write && targetOf(write)).toBe('TCP:[127.0.0.1:80->127.0.0.1:90]');
});

test.each([
  ['before the answer', [`7  fdatasync(${WAL}) = 0`, ANSWER], []],
  ['after the answer', [ANSWER, `7  fdatasync(${WAL}) = 0`], ['commit']],
  ['never', [ANSWER], ['commit']],
  ['in vain', [`7  fsync(${WAL}) = -1 EIO (Input/output error)`, ANSWER], ['commit']],
  ['of another file', ['7  fsync(9</data/x.sqlite>) = 0', ANSWER], ['commit']],
  [
    'not yet at its end',
    [`8  fsync(${WAL} <unfinished ...>`, ANSWER, '8  <... fsync resumed>) = 0'],
    ['commit'],
  ],
])('judges a sync %s', (_name, lines, rules) => {
  const log = [`7  pwrite64(${WAL}, ${HEADER}`, `7  pwrite64(${WAL}, "a token", 4096, 56) = 4096`];
  const calls = parseTrace([...log, ...lines].join('\n'));
  const violations = findViolations(calls, [{ token: 'token', withFile: false }]);
  expect(violations.map(({ rule }) => rule)).toEqual(rules);
});
