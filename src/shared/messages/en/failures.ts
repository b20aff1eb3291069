/** What the web admin says when a call or a page fails. The service's own messages are in the other subjects. */
export const unreachable = 'The server cannot be reached.';
export const changedFile = 'The file has changed since it was chosen. Choose it again.';
export const answered = ({ code }: { code: string }) => `The server answered ${code}.`;
export const pageFailed = 'Something went wrong in this page.';
export const foreignAnswer = ({ status }: { status: number }) =>
  `An answer that is not the service’s own came with status ${status}.`;

export const unreachableTitle = 'The server cannot be reached';
export const notSentTitle = 'The file was not sent';
export const refusedTitle = 'The server refused this';
export const pageFailedTitle = 'Something went wrong in this page';
export const foreignAnswerTitle = 'The answer is not one of Indexdesk’s own';
export const noAnswer = 'No answer came. Check the connection; nothing that you typed is lost.';
export const request = ({ status, code, id }: { status: number; code: string; id: string }) =>
  `${status} ${code} · request ${id}`;
export const received = ({ status, contentType }: { status: number; contentType: string }) =>
  contentType === ''
    ? `Status ${status}. This is what came:`
    : `Status ${status}, ${contentType}. This is what came:`;
export const receivedLabel = 'The answer as it came';
export const receivedNothing = '(empty)';

export const moduleNotLoaded =
  'This part of Indexdesk could not be loaded: the server cannot be reached, or has a new version. What you typed is kept.';
export const notStored =
  'This browser cannot keep unsaved changes on its disk. They stay until this tab is closed.';
