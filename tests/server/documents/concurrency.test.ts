/** @module-tag slow */
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { writesAtOnce } from './writes-at-once.ts';

describeOnBothDatabases('32 writes at once', writesAtOnce);
