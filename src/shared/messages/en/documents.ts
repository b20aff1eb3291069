/** The pane that shows the documents of a revision. */
import { formatCount } from '../format.ts';
export const document = 'Document';
export const openInWindow = 'Show the document in its own window';
export const hide = 'Hide the document';
export const files = 'Files of this revision';
export const noFiles = 'This revision has no files.';
export const intoField = (into: string) => `Into the field ${into}`;
export const search = 'Search in the document';
export const previousHit = 'Previous hit';
export const nextHit = 'Next hit';
export const closeSearch = 'Close the search';
export const searching = 'Searching…';
export const notFound = 'Not found';
export const hitOf = ({ number, count }: { number: number; count: number }) =>
  `${formatCount(number)} of ${formatCount(count)}`;
export const view = 'View';
export const firstPartShown = ({ bytesShown, size }: { bytesShown: string; size: string }) =>
  `Only the first ${bytesShown} of ${size} are shown and searched. Open or save the file to read the rest.`;
export const textOf = (name: string) => `Text of ${name}`;
export const imageBroken = 'This image is broken.';
export const imageTooLarge = 'This image has too many pixels to be displayed.';
export const mail = 'Mail';
export const mailHeaders = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  date: 'Date',
  subject: 'Subject',
};
export const attachments = 'Attachments';
export const attachment = (number: number) => `Attachment ${number}`;
export const save = 'Save';
export const typeNotShown = 'Files of this type cannot be shown here.';
export const fileEmpty = 'This file is empty.';
export const mailBroken = 'This mail is broken.';
export const pageRole = 'page';
export const pageNumber = (page: number) => `Page ${page}`;
export const pageUnreachable = 'The server cannot be reached. The page appears when it is back.';
export const pageNotRead = (failure: string) => `This page could not be read. ${failure}`;
export const pageNotShown = 'This page cannot be shown.';
export const scanWithoutText = 'This is a scan without text: there is nothing to search or select.';
export const pagesOf = (name: string) => `Pages of ${name}`;
export const pdfProtected = 'This PDF is protected by a password.';
export const pdfBroken = 'This PDF is broken.';
export const loading = 'Loading the document';
export const documentUnreachable =
  'The server cannot be reached. The document appears when it is back.';
export const correctableAnyway = (failed: string) =>
  `${failed} You can still correct its index data.`;
export const fileNotShown = 'This file cannot be shown.';
export const noSuchFile = 'The service has no such file.';
export const documentNotRead = (failure: string) => `The document could not be read. ${failure}`;
export const tooManyPages = (max: number) =>
  `This document has more than ${formatCount(max)} pages and is not displayed. You can download it.`;
export const displayTooSlow = 'This document takes too long to be displayed. You can download it.';
export const tiffBroken = 'This TIFF is broken.';
export const pageBroken = 'This page is broken.';
export const page = 'Page';
export const pageInput = (pageCount: number) => `Page, of ${pageCount}`;
export const ofPages = (pageCount: number) => `of ${formatCount(pageCount)}`;
export const smaller = 'Smaller';
export const actualSize = (percent: string) => `${percent}: show the actual size`;
export const larger = 'Larger';
export const fitWidth = 'As wide as the pane';
export const fitPage = 'Whole page';
export const rotate = 'Turn the view';
