import { describe, expect, it } from 'vitest';
import { RowIdBitmap } from '#server/database/records/row-id-bitmap.ts';

describe('RowIdBitmap', () => {
  it.each([
    ['side by side', [3, 1, 64, 2, 33, 32]],
    ['far apart', [9_007_199_254_740_991, 0, 4_294_967_299, 5]],
    ['none', []],
    ['named twice', [7, 5, 7, 5]],
    ['named twice and far apart', [2 ** 40, 1, 2 ** 40]],
  ])('holds ids that are %s', (_, ids) => {
    const set = new RowIdBitmap(Float64Array.from(ids));
    const asked = [...ids, 4, 31, 65, 3 + 2 ** 32, 4_294_967_298, 2 ** 52];
    expect(asked.filter((id) => set.has(id))).toEqual(asked.filter((id) => ids.includes(id)));
    expect(set.size).toBe(new Set(ids).size);
    expect([...set.among(Float64Array.from(asked), false)]).toEqual(
      asked.filter((id) => !ids.includes(id)),
    );
    expect([...set.ascending]).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });
});
