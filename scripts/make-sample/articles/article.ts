import type { Subject } from '../supplier-list.ts';

/** What a supplier sells: description, unit, least and greatest quantity, price of one unit (up to 4 places). */
export type Article = readonly [
  description: string,
  unit: string,
  least: number,
  most: number,
  price: number,
];

export type ArticleList = Readonly<Record<Subject, readonly [Article, ...Article[]]>>;
