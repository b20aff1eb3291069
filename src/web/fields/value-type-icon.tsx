import type { ValueType } from '#shared/values/values.ts';
import {
  BooleanTypeIcon,
  DateTypeIcon,
  DatetimeTypeIcon,
  DecimalTypeIcon,
  IntegerTypeIcon,
  TextTypeIcon,
  TimeTypeIcon,
} from '../ui/icons.tsx';

const ICONS = {
  text: TextTypeIcon,
  integer: IntegerTypeIcon,
  decimal: DecimalTypeIcon,
  boolean: BooleanTypeIcon,
  date: DateTypeIcon,
  datetime: DatetimeTypeIcon,
  time: TimeTypeIcon,
} satisfies Record<ValueType, unknown>;

/** The icon of a value type, for column headers and field labels. */
export function ValueTypeIcon({
  type,
  size = 14,
}: {
  readonly type: ValueType;
  readonly size?: number;
}) {
  const Icon = ICONS[type];
  return <Icon size={size} />;
}
