import type { CollectionRef } from '#web/api/api-paths.ts';

/** The list of the views. */
export interface ViewedList {
  readonly collection: CollectionRef;
  /** its label in the side bar */
  readonly name: string;
  /** the number of records without a filter */
  readonly total: number;
}
