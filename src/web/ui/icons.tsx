import type { ReactNode } from 'react';

interface IconProps {
  /** pixels, 16 by default */
  readonly size?: number;
}

/* The icons that several modules use; one with a single user is drawn there. */

/** An icon of 24 units with strokes of 1.75 and round ends; always decorative, next to a text or an aria-label. */
export function drawIcon(shape: ReactNode) {
  return function Icon({ size = 16 }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {shape}
      </svg>
    );
  };
}

export const ArchiveIcon = drawIcon(
  <path d="M4 8h16v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM3 4h18v4H3zM10 12h4" />,
);
export const PauseIcon = drawIcon(<path d="M9 6v12M15 6v12" />);
export const TableIcon = drawIcon(<path d="M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14" />);
export const SpreadsheetIcon = drawIcon(
  <path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6M12 12v7" />,
);
export const DocumentIcon = drawIcon(<path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6" />);
export const SearchIcon = drawIcon(
  <>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </>,
);
export const FilterIcon = drawIcon(<path d="M4 6h16M7 12h10M10 18h4" />);
export const SortIcon = drawIcon(<path d="M7 5v14m-3-3 3 3 3-3M17 19V5m-3 3 3-3 3 3" />);
export const SortUpIcon = drawIcon(<path d="M12 19V5m-5 5 5-5 5 5" />);
export const SortDownIcon = drawIcon(<path d="M12 5v14m-5-5 5 5 5-5" />);
export const ColumnsIcon = drawIcon(<path d="M4 5h16v14H4zM9.5 5v14M14.5 5v14" />);
export const SettingsIcon = drawIcon(<path d="M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5v5M9 14.5v5" />);
export const ScreenIcon = drawIcon(<path d="M4 5h16v11H4zM9 20h6M12 16v4" />);
export const UserIcon = drawIcon(
  <>
    <circle cx="12" cy="8" r="3.5" />
    <path d="M5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5" />
  </>,
);
export const KeyIcon = drawIcon(
  <>
    <circle cx="8" cy="15" r="4" />
    <path d="m11 12 8-8m-3 3 3 3" />
  </>,
);
export const MoreIcon = drawIcon(<path d="M5.5 12h.01M12 12h.01M18.5 12h.01" />);
export const PeopleIcon = drawIcon(
  <>
    <circle cx="9" cy="8.5" r="3" />
    <path d="M3 19c.5-3.2 2.9-5 6-5s5.5 1.8 6 5M15.5 5.8a3 3 0 0 1 0 5.4M17.5 14.4c2 .7 3.2 2.300 3.5 4.6" />
  </>,
);
export const FlagIcon = drawIcon(<path d="M6 21V4h11l-2.5 4L17 12H6" />);
export const ContinueIcon = drawIcon(<path d="M4 12h15M13 6l6 6-6 6" />);
export const CloseIcon = drawIcon(<path d="m6 6 12 12M18 6 6 18" />);
export const CheckIcon = drawIcon(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const PlusIcon = drawIcon(<path d="M12 5v14M5 12h14" />);
export const UndoIcon = drawIcon(<path d="M9 7H14.5a5 5 0 0 1 0 10H7M9 7l3-3M9 7l3 3" />);
export const EditIcon = drawIcon(<path d="M4 20v-4L15.5 4.5l4 4L8 20zM13 7l4 4" />);
export const RefreshIcon = drawIcon(<path d="M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 4v4.5h-4.5" />);
export const WarningIcon = drawIcon(<path d="M12 4 2.8 20h18.4zM12 10v4.5m0 2.5v.01" />);
export const LockIcon = drawIcon(<path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />);
export const ChevronUpIcon = drawIcon(<path d="m6 15 6-6 6 6" />);
export const ChevronDownIcon = drawIcon(<path d="m6 9 6 6 6-6" />);
export const ChevronLeftIcon = drawIcon(<path d="m15 6-6 6 6 6" />);
export const ChevronRightIcon = drawIcon(<path d="m9 6 6 6-6 6" />);

/* One for each value type, for headers. */
export const DateTypeIcon = drawIcon(<path d="M4 6h16v14H4zM4 10.5h16M8.5 3.5V8m7-4.5V8" />);
/** An hourglass; the clock stands for a date with its time. */
export const DatetimeTypeIcon = drawIcon(
  <>
    <circle cx="12" cy="12" r="8" />
    <path d="M12 7.5V12l3 2" />
  </>,
);
