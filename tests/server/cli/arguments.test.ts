import { describe, expect, it } from 'vitest';
import { readArguments, takeOptionalValue } from '#server/cli/arguments.ts';

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
    const read = (...args: string[]) => readArguments(args, {}, ['X', 'Y'], { t: 'repeated' });
    const { own, positionals } = read('a', '--t', 'X=read', '--t=Y=write', 'b');
    expect(own.all('t')).toEqual(['X=read', 'Y=write']);
    expect(positionals).toEqual(['a', 'b']);
    expect(() => read('--t')).toThrow('--t needs a value.');
  });

  it('are those of the command alone', () => {
    expect(() => readArguments(['--port', '1'], {}, [])).toThrow(
      'This command has no option --port.',
    );
    expect(() => readArguments(['--data'], {}, [])).toThrow('--data needs a value.');
    expect(
      readArguments(['x', '--role', 'clerk'], {}, ['USERNAME'], { role: 'value' }).own.get('role'),
    ).toBe('clerk');
    expect(readArguments([], { INDEXDESK_DATA: '/tmp/d' }, []).config.dataDir).toBe('/tmp/d');
  });

  it('are as many as the command needs', () => {
    const read = (...args: string[]) => readArguments(args, {}, ['FILE']).positionals;
    expect(() => read()).toThrow('FILE is missing.');
    expect(() => read('a', 'b')).toThrow('The argument b is not expected.');
    expect(read('a')).toEqual(['a']);
  });
});
