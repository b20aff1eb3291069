/* What is shown of a paste: loaded together, as a service that goes away while rows are sent must not keep it from saying so. */
export { PasteDialog } from './paste-dialog.tsx';
export { PasteJobDialog } from './paste-job.tsx';
