/** The texts of the web admin about calls and pages that fail. The service's own messages are in the other subjects. */
export const unreachable = 'The server cannot be reached.';
export const changedFile = 'The file has changed since it was chosen. Choose it again.';
export const answered = ({ code }: { code: string }) => `The server answered ${code}.`;
export const pageFailed = 'Something went wrong in this page.';
export const foreignAnswer = ({ status }: { status: number }) =>
  `The answer (status ${status}) does not come from the service.`;

export const unreachableTitle = 'The server cannot be reached';
export const notSentTitle = 'The file was not sent';
export const refusedTitle = 'The server refused this';
export const pageFailedTitle = 'Something went wrong in this page';
export const foreignAnswerTitle = 'The answer does not come from Indexdesk';
export const noAnswer =
  'The server did not answer. Check the connection; nothing that you typed is lost.';
export const request = ({ status, code, id }: { status: number; code: string; id: string }) =>
  `${status} ${code} · request ${id}`;
export const received = ({ status, contentType }: { status: number; contentType: string }) =>
  contentType === ''
    ? `Status ${status}. The answer:`
    : `Status ${status}, ${contentType}. The answer:`;
export const receivedLabel = 'Text of the answer';
export const receivedNothing = '(empty)';

export const moduleNotLoaded =
  'This part of Indexdesk could not be loaded: the server cannot be reached, or has a new version. What you typed is kept.';
export const notStored =
  'This browser cannot store unsaved changes. They are lost when this tab is closed.';
