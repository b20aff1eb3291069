/** Names of the pages of administrators. */
export const administration = 'Administration';
export const definitions = 'Archives and tables';
export const users = 'Users';
export const groups = 'Groups';
export const rights = 'Rights';
export const sessions = 'Sessions';
export const loadData = 'Load data';
export const loadDocuments = 'Load documents';
export const system = 'System';
export const audit = 'Audit';
