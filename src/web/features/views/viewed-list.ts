import type { ListPlace } from '#web/api/api-paths.ts';

/** The list of the views. */
export interface ViewedList {
  readonly place: ListPlace;
  /** its label in the side bar */
  readonly name: string;
  /** the number of records without a filter */
  readonly total: number;
}
