/** What the keys of a document do, in the key sheet. */
export const viewer = {
  take: 'Put the text selected in the document into the field',
  nextPage: 'Next page of the document, also from the form',
  previousPage: 'Previous page of the document, also from the form',
  scrollDown: 'Scroll the document down, also from the form',
  scrollUp: 'Scroll the document up, also from the form',
  fit: 'The whole page, or as wide as its pane, also from the form',
  nextFile: 'Next file of the revision, also from the form',
  previousFile: 'Previous file of the revision, also from the form',
  find: 'In the document: search in its text',
  zoomIn: 'In the document: larger',
  zoomOut: 'In the document: smaller',
  actualSize: 'In the document: actual size, 100 %',
  fitWidth: 'In the document: as wide as its pane',
  fitPage: 'In the document: the whole page',
  rotate: 'In the document: turn the view',
};
