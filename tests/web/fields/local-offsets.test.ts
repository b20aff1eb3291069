import { expect, it } from 'vitest';
import { localOffsets } from '#web/fields/local-offsets.ts';

/** The clocks of Berlin in 2026: an hour forward on 29 March at 01:00 UTC, back on 25 October at 01:00 UTC. */
function berlin(moment: number): number {
  const summer =
    moment >= Date.parse('2026-03-29T01:00Z') && moment < Date.parse('2026-10-25T01:00Z');
  return summer ? 120 : 60;
}

it.each([
  ['2026-01-31T14:05:00', ['+01:00']],
  ['2026-07-01T00:00:00', ['+02:00']],
  ['2026-03-29T01:59:59', ['+01:00']],
  ['2026-03-29T02:30:00', []],
  ['2026-03-29T03:00:00', ['+02:00']],
  ['2026-10-25T01:59:59', ['+02:00']],
  ['2026-10-25T02:30:00', ['+02:00', '+01:00']],
  ['2026-10-25T03:00:00', ['+01:00']],
])('%s by the clocks of Berlin: %j', (local, offsets) => {
  expect(localOffsets(local, berlin)).toEqual(offsets);
});

it('knows clocks west of Greenwich and those off the hour', () => {
  expect(localOffsets('2026-01-31T14:05:00', () => -210)).toEqual(['-03:30']);
  expect(localOffsets('2026-01-31T14:05:00', () => 345)).toEqual(['+05:45']);
});
