/** Clippings of documents around the place of a field. */
import { formatCount } from '../format.ts';

export const loading = 'Loading the document';
export const noFile = 'No document';
export const noClippingOfType = 'Files of this type have no clipping. Open the document.';
export const notRead = 'The document could not be read.';
export const notReadBecause = (failure: string) => `The document could not be read. ${failure}`;
/** what a clipping shows */
export const showsValue = 'The value in the document';
export const showsPlaceOfOthers = 'Where other documents of the same supplier have the value';
export const showsLabel = 'The place next to the name of the field';
export const showsTop = 'The top of the document';
/** the same, in the corner of a clipping */
export const asInOthers = 'as in others';
export const besideLabel = 'next to its name';
export const topOfPage = 'top of the page';
export const pageOf = ({ page, pageCount }: { page: number; pageCount: number }) =>
  `${formatCount(page)} / ${formatCount(pageCount)}`;
