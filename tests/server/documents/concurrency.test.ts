/** @module-tag slow */
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { MANY, writesAtOnce } from './writes-at-once.ts';

describeOnBothDatabases(`${MANY} writes at once`, writesAtOnce);
