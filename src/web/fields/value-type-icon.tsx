import type { ValueType } from '#shared/values/registry.ts';
import { DateTypeIcon, DatetimeTypeIcon, drawIcon } from '../ui/icons.tsx';

const TextTypeIcon = drawIcon(<path d="M5 7V5h14v2M12 5v14M9.5 19h5" />);
const IntegerTypeIcon = drawIcon(<path d="M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16" />);
const DecimalTypeIcon = drawIcon(
  <path d="M5 8l2-2v12M11 18v.01M15 9a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0z" />,
);
const BooleanTypeIcon = drawIcon(<path d="M4 5h16v14H4zM8 12l3 3 5-6" />);
const TimeTypeIcon = drawIcon(<path d="M7 4h10M7 20h10M8 4c0 5 8 11 8 16M16 4c0 5-8 11-8 16" />);

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
