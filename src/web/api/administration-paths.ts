import { configurationPath } from './api-paths.ts';

/**
 * The addresses of the calls of administrators. They are separate from `apiPaths`, which the first load of every page
 * contains.
 */
export const administrationPaths = {
  system: () => configurationPath('system'),
  collectionSizes: () => configurationPath('system', 'collections'),
  systemMetrics: () => configurationPath('system', 'metrics'),
  systemJobs: () => configurationPath('system', 'jobs'),
  systemJob: (jobId: string) => configurationPath('system', 'jobs', jobId),
  verifications: () => configurationPath('system', 'verifications'),
  backups: () => configurationPath('system', 'backups'),
  backup: (name: string) => configurationPath('system', 'backups', name),
  backupChecks: (name: string) => configurationPath('system', 'backups', name, 'checks'),
  definitionJob: (jobId: string) => configurationPath('jobs', jobId),
  audit: () => configurationPath('audit'),
  auditEntry: (historyId: string) => configurationPath('audit', historyId),
  locks: () => configurationPath('locks'),
  groups: () => configurationPath('groups'),
  group: (name: string) => configurationPath('groups', name),
  openSessions: () => configurationPath('sessions'),
  openSession: (sessionId: string) => configurationPath('sessions', sessionId),
  accessOfUser: (username: string) => configurationPath('users', username, 'access'),
  passwordOfUser: (username: string) => configurationPath('users', username, 'password'),
  seeAs: (username: string) => configurationPath('users', username, 'see-as'),
  userIdentity: (username: string) => configurationPath('users', username, 'identity'),
};
