import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { flowScale, placeFlow, readOn } from '#web/features/document-preview/flow-layout.ts';

const ROOM = { width: 600, height: 800 };

test('fits a text to its pane as long as it can be read, and html never larger than it is', () => {
  const text = { width: 800, height: 400, maxScale: 2 };
  expect(flowScale('width', text, ROOM)).toBe(0.75);
  expect(flowScale('page', text, ROOM)).toBe(0.75);
  expect(flowScale('page', { ...text, height: 3200 }, ROOM)).toBe(0.25);
  expect(flowScale('page', { ...text, height: 64_000 }, ROOM)).toBe(0.2);
  expect(flowScale('width', { ...text, width: Infinity, height: Infinity }, ROOM)).toBe(0.3);
  expect(flowScale('width', { ...text, width: 30 }, ROOM)).toBe(2);
  expect(flowScale('width', { ...text, width: 30, maxScale: 1 }, ROOM)).toBe(1);
  expect(flowScale(3, text, ROOM)).toBe(3);
});

test('turns a sheet within the place that it takes', () => {
  const rotation = fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const);
  const length = fc.integer({ min: 1, max: 5000 });
  fc.assert(
    fc.property(
      length,
      length,
      fc.double({ min: 0.1, max: 8, noNaN: true }),
      rotation,
      (...given) => {
        const [width, height, scale, turn] = given;
        const place = placeFlow({ width, height }, scale, turn);
        const [x, y] = (/^translate\(([^,]+), ([^)]+)\)/.exec(place.transform) ?? ['', '0', '0'])
          .slice(1)
          .map(parseFloat);
        const angle = (turn * Math.PI) / 180;
        const corners = [0, width].flatMap((left) =>
          [0, height].map((top) => ({
            x: (x ?? 0) + scale * (left * Math.cos(angle) - top * Math.sin(angle)),
            y: (y ?? 0) + scale * (left * Math.sin(angle) + top * Math.cos(angle)),
          })),
        );
        expect(Math.min(...corners.map((corner) => corner.x))).toBeCloseTo(0, 3);
        expect(Math.min(...corners.map((corner) => corner.y))).toBeCloseTo(0, 3);
        expect(Math.max(...corners.map((corner) => corner.x))).toBeCloseTo(place.width, 3);
        expect(Math.max(...corners.map((corner) => corner.y))).toBeCloseTo(place.height, 3);
      },
    ),
  );
});

test('reads on in the direction of the text', () => {
  expect(readOn(0.9, 0)).toEqual({ left: 0, top: 0.9 });
  expect(readOn(0.9, 90)).toEqual({ left: -0.9, top: 0 });
  expect(readOn(0.9, 180)).toEqual({ left: 0, top: -0.9 });
  expect(readOn(0.9, 270)).toEqual({ left: 0.9, top: 0 });
});
