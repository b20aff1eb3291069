// The files of the pages of administrators, each loaded when its page opens.
export const audit = () => import('./audit-page.tsx');
export const definition = () => import('./definition-page.tsx');
export const definitions = () => import('./definitions-page.tsx');
export const groups = () => import('./groups-page.tsx');
export const load = () => import('./load-page.tsx');
export const loadDocuments = () => import('./load-documents-page.tsx');
export const newDefinition = () => import('./new-definition-page.tsx');
export const rights = () => import('./rights-page.tsx');
export const sessions = () => import('./sessions-page.tsx');
export const system = () => import('./system-page.tsx');
export const users = () => import('./users-page.tsx');
