import type { ApiFailure } from '#web/api/failure.ts';

const PLACE = /^datasets\.(\d+)(?:\.|$)/;

/** The places, from 0, of the entries that a refused batch names; none where the failure names none. */
export function refusedPlaces(failure: ApiFailure): ReadonlySet<number> {
  if (failure.kind !== 'api') return new Set();
  const places = Object.keys(failure.errors).flatMap((place) => PLACE.exec(place)?.[1] ?? []);
  return new Set(places.map(Number));
}
