import type { ListPlace } from '#web/api/paths.ts';

/** The list whose views are shown. */
export interface ViewedList {
  readonly place: ListPlace;
  /** as it is called in the side bar */
  readonly name: string;
  /** how many there are without a filter */
  readonly total: number;
}
