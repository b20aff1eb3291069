// Imported first, because the schemas read this setting when they are created.
import './zod-without-eval.ts';

export { accessTokensAnswer, createdAccessTokenAnswer } from '#shared/contract/access-tokens.ts';
export { triedRuleAnswer } from '#shared/contract/check-answers.ts';
export * from '#shared/contract/configuration-definitions.ts';
export * from '#shared/contract/configuration-people.ts';
export {
  createdFactorAnswer,
  factorsAnswer,
  passkeyChallengeAnswer,
} from '#shared/contract/factors.ts';
export { analysesAnswer } from '#shared/contract/file-analysis.ts';
export { fieldUsesAnswer } from '#shared/contract/field-uses.ts';
export { locksAnswer } from '#shared/contract/locks.ts';
export {
  collectionSizesAnswer,
  metricsAnswer,
  systemAnswer,
} from '#shared/contract/system-answers.ts';
export { backupsAnswer, systemJobAnswer, systemJobsAnswer } from '#shared/contract/system-jobs.ts';
export { auditAnswer, auditEntryAnswer } from '#shared/contract/audit.ts';
