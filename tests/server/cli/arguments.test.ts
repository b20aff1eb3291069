import { describe, expect, it } from 'vitest';
import {
  expectPositionals,
  readArguments,
  takeOptional,
  takeRepeated,
} from '#server/cli/arguments.ts';

describe('arguments', () => {
  const enough = (rest: readonly string[]) => rest.some((arg) => !arg.startsWith('-'));

  it.each([
    [['d.json'], undefined, ['d.json']],
    [['d.json', '--skip'], null, ['d.json']],
    [['--skip', 'd.json'], null, ['d.json']],
    [['d.json', '--skip', 'bad.csv'], 'bad.csv', ['d.json']],
    [['--skip', 'bad.csv', 'd.json'], 'bad.csv', ['d.json']],
    [['--skip=bad.csv', 'd.json'], 'bad.csv', ['d.json']],
    [['d.json', '--skip', '--data', 'x'], null, ['d.json', '--data', 'x']],
  ])('%j hold an option whose value may be missing', (args, value, rest) => {
    expect(takeOptional(args, 'skip', enough)).toEqual({ value, rest });
  });

  it('hold an option several times', () => {
    expect(takeRepeated(['a', '--t', 'X=read', '--t=Y=write', 'b'], 't')).toEqual({
      values: ['X=read', 'Y=write'],
      rest: ['a', 'b'],
    });
    expect(() => takeRepeated(['--t'], 't')).toThrow('--t needs a value.');
  });

  it('are those of the command alone', () => {
    expect(() => readArguments(['--port', '1'], {})).toThrow('This command has no option --port.');
    expect(() => readArguments(['--data'], {})).toThrow('--data needs a value.');
    expect(readArguments(['x', '--role', 'clerk'], {}, ['role']).own.get('role')).toBe('clerk');
    expect(readArguments([], { INDEXDESK_DATA: '/tmp/d' }).config.dataDir).toBe('/tmp/d');
  });

  it('are as many as the command needs', () => {
    expect(() => expectPositionals([], 'FILE')).toThrow('FILE is missing.');
    expect(() => expectPositionals(['a', 'b'], 'FILE')).toThrow('The argument b is not expected.');
    expect(expectPositionals(['a'], 'FILE')).toEqual(['a']);
  });
});
