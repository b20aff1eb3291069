import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  JsonNumber,
  JsonSyntaxError,
  JsonTooLargeError,
  parseJson,
  parseJsonWithPauses,
  type JsonValue,
} from '#shared/values/json.ts';
import { repeated } from '#tests/support/effort.ts';

function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.source);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

describe('parseJson', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(plain(parseJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const almost = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '{', ']', '\\', '\u0001', '0', '-', '.'),
      )
      .map(([text, at, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + 1);
      });
    fc.assert(
      fc.property(almost, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (!valid) expect(() => parseJson(text)).toThrow(JsonSyntaxError);
      }),
      { numRuns: repeated(400) },
    );
  });

  it('keeps the source text of numbers', () => {
    expect(parseJson('[1.0000000000000000001, 1e2]')).toEqual([
      new JsonNumber('1.0000000000000000001'),
      new JsonNumber('1e2'),
    ]);
  });

  it('refuses a key given twice, also when escaped differently', () => {
    expect(() => parseJson('{"a":1,"\\u0061":1}')).toThrow('“a” occurs twice');
  });

  it('keeps __proto__ as a key like any other', () => {
    const value = parseJson('{"__proto__":{"a":true}}');
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each(['['.repeat(20_000), '{"a":'.repeat(20_000)])(
    'refuses 20,000 nested brackets',
    (text) => {
      expect(() => parseJson(text)).toThrow(/nested deeper/);
    },
  );
});

it('reads no further than its limit', () => {
  const limits = { values: 4, keys: 2 };
  expect(plain(parseJson('[1, 2, 3]', limits))).toEqual([1, 2, 3]);
  expect(plain(parseJson('{"a": {"b": 1, "c": 2}}', limits))).toEqual({ a: { b: 1, c: 2 } });
  for (const text of ['[1,2,3,4]', '[[],[],[],[]]', '[[[[[]]]]]', '[{},{},{},{', '[1,2,3,x']) {
    expect(() => parseJson(text, limits)).toThrow(JsonTooLargeError);
  }
  expect(() => parseJson('{"a":1,"b":2,"c":3', limits)).toThrow('more than 2 keys');
});

describe('parseJsonWithPauses', () => {
  const unlimited = { values: Infinity, keys: Infinity };

  it('reads what parseJson reads, with a pause after each part', async () => {
    const text = JSON.stringify(
      Array.from({ length: 5_000 }, (_, i) => ({ id: i, list: [String(i), null, [true]] })),
    );
    let pauses = 0;
    const value = await parseJsonWithPauses(text, unlimited, async () => void (pauses += 1));
    expect(value).toEqual(parseJson(text));
    expect(pauses).toBeGreaterThan(10);
  });

  it('refuses what parseJson refuses', async () => {
    const pause = () => Promise.resolve();
    await expect(parseJsonWithPauses('[1,]', unlimited, pause)).rejects.toThrow(JsonSyntaxError);
    await expect(parseJsonWithPauses('[1,2,3]', { values: 3, keys: 1 }, pause)).rejects.toThrow(
      JsonTooLargeError,
    );
  });
});
