import { inConfiguration } from './api-paths.ts';

/**
 * The addresses of the calls of administrators. They are separate from `apiPaths`, which the first load of every page
 * contains.
 */
export const administrationPaths = {
  system: () => inConfiguration('system'),
  collectionSizes: () => inConfiguration('system', 'collections'),
  systemMetrics: () => inConfiguration('system', 'metrics'),
  systemJobs: () => inConfiguration('system', 'jobs'),
  systemJob: (jobId: string) => inConfiguration('system', 'jobs', jobId),
  verifications: () => inConfiguration('system', 'verifications'),
  backups: () => inConfiguration('system', 'backups'),
  backup: (name: string) => inConfiguration('system', 'backups', name),
  backupChecks: (name: string) => inConfiguration('system', 'backups', name, 'checks'),
  definitionJob: (jobId: string) => inConfiguration('jobs', jobId),
  audit: () => inConfiguration('audit'),
  auditEntry: (historyId: string) => inConfiguration('audit', historyId),
  locks: () => inConfiguration('locks'),
  groups: () => inConfiguration('groups'),
  group: (name: string) => inConfiguration('groups', name),
  openSessions: () => inConfiguration('sessions'),
  openSession: (sessionId: string) => inConfiguration('sessions', sessionId),
  accessOfUser: (username: string) => inConfiguration('users', username, 'access'),
  passwordOfUser: (username: string) => inConfiguration('users', username, 'password'),
  seeAs: (username: string) => inConfiguration('users', username, 'see-as'),
  userIdentity: (username: string) => inConfiguration('users', username, 'identity'),
};
