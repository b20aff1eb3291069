import { describe, expect, it } from 'vitest';
import { expectPositionals, readArguments, takeOptionalValue } from '#server/cli/arguments.ts';

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
    expect(takeOptionalValue(args, 'skip', enough)).toEqual({ value, rest });
  });

  it('hold an option several times', () => {
    const read = (...args: string[]) => readArguments(args, {}, { t: 'repeated' });
    const { own, positionals } = read('a', '--t', 'X=read', '--t=Y=write', 'b');
    expect(own.all('t')).toEqual(['X=read', 'Y=write']);
    expect(positionals).toEqual(['a', 'b']);
    expect(() => read('--t')).toThrow('--t needs a value.');
  });

  it('are those of the command alone', () => {
    expect(() => readArguments(['--port', '1'], {})).toThrow('This command has no option --port.');
    expect(() => readArguments(['--data'], {})).toThrow('--data needs a value.');
    expect(readArguments(['x', '--role', 'clerk'], {}, { role: 'value' }).own.get('role')).toBe(
      'clerk',
    );
    expect(readArguments([], { INDEXDESK_DATA: '/tmp/d' }).config.dataDir).toBe('/tmp/d');
  });

  it('are as many as the command needs', () => {
    expect(() => expectPositionals([], 'FILE')).toThrow('FILE is missing.');
    expect(() => expectPositionals(['a', 'b'], 'FILE')).toThrow('The argument b is not expected.');
    expect(expectPositionals(['a'], 'FILE')).toEqual(['a']);
  });
});
