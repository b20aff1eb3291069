import { sql, type RawBuilder } from 'kysely';
import { parsePattern } from '#shared/values/parse-pattern.ts';
import type { LookupNode, RuleKind, RuleNode } from '#shared/checks/rule-tree.ts';
import { QUOTIENT_SCALE, CANONICAL_NUMBER } from '#shared/values/exact-numbers.ts';
import { isText, valueType } from '#shared/values/registry.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import {
  comparedColumn,
  foldColumn,
  keyColumn,
  tableName,
  valueColumn,
} from '../records/columns.ts';
import {
  fieldOf,
  LOOKUP_ALIAS,
  type RuleSetting,
  type RuleSql,
  type RuleSubject,
} from '../records/rule-sql.ts';
import { sortKey } from '../records/sort-key.ts';
import { postgresPattern } from './pattern-syntax.ts';
import { keyExpression } from './sort-key-trigger.ts';

type Expression = RawBuilder<unknown>;

export const RULE_SQL: RuleSql = {
  ruleTruth: (subject, rule, setting) => new RuleWriter(subject, setting).truth(rule),
  ruleGeneration: () => 0,
};

/** Compiles rules to SQL expressions of PostgreSQL, which has exact decimals and three-valued logic. */
class RuleWriter {
  readonly #subject: RuleSubject;
  readonly #setting: RuleSetting;

  constructor(subject: RuleSubject, setting: RuleSetting) {
    this.#subject = subject;
    this.#setting = setting;
  }

  readonly truth = (node: RuleNode): RawBuilder<boolean | null> => {
    switch (node.op) {
      case 'value':
        return sql`${sql.lit(node.value === null ? null : node.value === true)}::boolean`;
      case 'field':
        return sql`${this.#column(node.name, 'value')}`;
      case 'and':
      case 'or': {
        const joint = node.op === 'and' ? sql` and ` : sql` or `;
        return sql`(${sql.join(node.operands.map(this.truth), joint)})`;
      }
      case 'not':
        return sql`(not ${this.truth(node.operand)})`;
      case 'if':
        return sql`${this.#choice(node, this.truth)}`;
      case 'compare': {
        const of = this.#ordered(node.by);
        return sql`(${of(node.left)} ${sql.raw(node.operator)} ${of(node.right)})`;
      }
      case 'between': {
        const of = this.#ordered(node.by);
        return sql`(${of(node.operand)} between ${of(node.low)} and ${of(node.high)})`;
      }
      case 'in': {
        const of = this.#ordered(node.by);
        return sql`(${of(node.operand)} in (${sql.join(node.values.map(of))}))`;
      }
      case 'inColumn':
        return this.#lookup(node);
      case 'contains':
        return sql`(strpos(${this.#text(node.operand)}, ${this.#text(node.part)}) > 0)`;
      case 'startsWith':
        return sql`starts_with(${this.#text(node.operand)}, ${this.#text(node.part)})`;
      case 'endsWith':
        return sql`starts_with(reverse(${this.#text(node.operand)}), reverse(${this.#text(node.part)}))`;
      case 'matches': {
        const read = parsePattern(node.pattern);
        if (!read.ok) throw new Error(`The pattern of a rule was not checked: ${node.pattern}`);
        return sql`(${this.#text(node.operand)} ~ ${postgresPattern(read.pattern)})`;
      }
      case 'empty': {
        const value = this.#ordered(node.field.kind)(node.field);
        return sql`(${value} is null)`;
      }
      default:
        return wrongNode(node);
    }
  };

  /** How expressions of a kind are written to be compared. */
  #ordered(kind: RuleKind): (node: RuleNode) => Expression {
    switch (kind) {
      case 'number':
        return this.#number;
      case 'text':
        return this.#text;
      case 'date':
        return this.#day;
      case 'datetime':
      case 'time':
        return (node) => this.#point(node, kind);
      case 'boolean':
        return this.truth;
      default:
        return kind satisfies never;
    }
  }

  /** Looks up one row by an index: that of sort keys, or that of values. An empty value is not looked up. */
  #lookup({ by, operand, reference }: LookupNode): RawBuilder<boolean | null> {
    const { table, field } = this.#setting.columnOf(reference);
    const column = sql.ref(`${LOOKUP_ALIAS}.${comparedColumn(field)}`);
    const tests = [sql`${column} = wanted.value`];
    const wanted = [sql`${this.#ordered(by)(operand)} as value`];
    if (isText(field)) {
      wanted.push(sql`${this.#key(operand)} as key`);
      tests.push(sql`${sql.ref(`${LOOKUP_ALIAS}.${keyColumn(field)}`)} = wanted.key`);
    } else if (valueType(field.type).column === 'integer') {
      // The index is of whole numbers.
      tests[0] = sql`${column} = case when abs(wanted.value) < 1e16 and wanted.value = trunc(wanted.value)
        then wanted.value::bigint end`;
    }
    return sql`(select case when wanted.value is null then null
      else exists (select 1 from ${sql.table(tableName(table))} as ${sql.ref(LOOKUP_ALIAS)}
        where ${sql.join(tests, sql` and `)}) end
      from (select ${sql.join(wanted)}) as wanted)`;
  }

  /** The sort key of a text. A value that is not a field's own text is already folded, or consists of digits. */
  readonly #key = (node: RuleNode): Expression => {
    switch (node.op) {
      case 'value':
        return sql`(${typeof node.value === 'string' ? sortKey(node.value) : null}::text collate "C")`;
      case 'field':
        return this.#column(node.name, 'key');
      case 'if':
        return this.#choice(node, this.#key);
      default: {
        const text = this.#text(node);
        return keyExpression(text, text);
      }
    }
  };

  readonly #number = (node: RuleNode): Expression => {
    switch (node.op) {
      case 'value':
        return sql`${node.value}::numeric`;
      case 'field':
        return sql`${this.#column(node.name, 'value')}::numeric`;
      case 'if':
        return this.#choice(node, this.#number);
      case '+':
      case '-':
      case '*':
        return sql`(${this.#number(node.left)} ${sql.raw(node.op)} ${this.#number(node.right)})`;
      case '/':
        // One more place, truncated, decides exactly how the last place is rounded.
        return sql`round(div(${this.#number(node.left)} * ${sql.lit(`1e${QUOTIENT_SCALE + 1}`)}::numeric,
          nullif(${this.#number(node.right)}, 0)) * ${sql.lit(`1e-${QUOTIENT_SCALE + 1}`)}::numeric, ${sql.lit(QUOTIENT_SCALE)})`;
      case 'negate':
        return sql`(- ${this.#number(node.operand)})`;
      case 'abs':
        return sql`abs(${this.#number(node.operand)})`;
      case 'round':
        return sql`round(${this.#number(node.operand)}, ${sql.lit(node.places)})`;
      case 'length':
        return sql`length(${this.#text(node.operand)})::numeric`;
      case 'numberOf': {
        const text = this.#text(node.operand);
        return sql`case when ${text} ~ ${`^(${CANONICAL_NUMBER})$`} then ${text}::numeric end`;
      }
      case 'days':
        return sql`(${this.#day(node.to)} - ${this.#day(node.from)})::numeric`;
      case 'year':
      case 'month':
      case 'day':
        return sql`extract(${sql.raw(node.op)} from ${this.#day(node.operand)})::numeric`;
      default:
        return wrongNode(node);
    }
  };

  /** The empty text is null. */
  readonly #text = (node: RuleNode): Expression => {
    switch (node.op) {
      case 'value':
        return sql`(${node.value}::text collate "C")`;
      case 'field':
        return sql`nullif(${this.#column(node.name, 'value')}, '')`;
      case 'if':
        return this.#choice(node, this.#text);
      case 'lower':
        return sql`nullif(${this.#column(node.operand.name, 'folded')}, '')`;
      case 'digits':
        return sql`nullif(regexp_replace(${this.#text(node.operand)}, '[^0-9]', '', 'g'), '')`;
      case 'textOf':
        return sql`(trim_scale(${this.#number(node.operand)})::text collate "C")`;
      default:
        return wrongNode(node);
    }
  };

  readonly #day = (node: RuleNode): Expression => {
    switch (node.op) {
      case 'value':
        return sql`${node.value}::date`;
      case 'field':
        return this.#column(node.name, 'value');
      case 'clock':
        return sql`${this.#setting.today}::date`;
      case 'if':
        return this.#choice(node, this.#day);
      case 'dayOf':
        return this.#dayOf(node.operand);
      default:
        return wrongNode(node);
    }
  };

  readonly #dayOf = (node: RuleNode): Expression => {
    switch (node.op) {
      case 'value':
        return sql`${typeof node.value === 'string' ? node.value.slice(0, 10) : null}::date`;
      case 'field':
        return sql`left(${this.#column(node.name, 'value')}, 10)::date`;
      case 'clock':
        return sql`${this.#setting.now.slice(0, 10)}::date`;
      case 'if':
        return this.#choice(node, this.#dayOf);
      default:
        return wrongNode(node);
    }
  };

  /** Instants in milliseconds, times of day in seconds. */
  #point(node: RuleNode, kind: 'datetime' | 'time'): Expression {
    const written = (value: string | null) => sql`${equalityKey(kind, value)}::bigint`;
    switch (node.op) {
      case 'value':
        return written(typeof node.value === 'string' ? node.value : null);
      case 'field':
        return this.#column(node.name, 'compared');
      case 'clock':
        return written(this.#setting.now);
      case 'if':
        return this.#choice(node, (part) => this.#point(part, kind));
      default:
        return wrongNode(node);
    }
  }

  #choice(
    node: Extract<RuleNode, { op: 'if' }>,
    of: (node: RuleNode) => Expression,
  ): RawBuilder<boolean | null> {
    // If the condition is unknown, neither branch applies.
    return sql`(case ${this.truth(node.condition)} when true then ${of(node.whenTrue)}
      when false then ${of(node.whenFalse)} end)`;
  }

  #column(name: string, form: keyof typeof COLUMNS): Expression {
    const field = fieldOf(this.#subject, name);
    return sql.ref(`${tableName(this.#subject)}.${COLUMNS[form](field)}`);
  }
}

const COLUMNS = {
  value: valueColumn,
  folded: foldColumn,
  key: keyColumn,
  compared: comparedColumn,
};

function wrongNode({ op }: RuleNode): never {
  throw new Error(`The types of the rule were not checked: ${op}`);
}
