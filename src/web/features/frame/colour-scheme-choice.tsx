import * as texts from '#messages/frame.ts';
import { IconButton } from '#web/ui/button.tsx';
import { type ColourScheme, useColourScheme } from '#web/ui/colour-scheme.ts';
import { ScreenIcon, drawIcon } from '#web/ui/icons.tsx';

const SunIcon = drawIcon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4" />
  </>,
);
const MoonIcon = drawIcon(<path d="M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5Z" />);

const SCHEMES = {
  light: { Icon: SunIcon, next: 'dark' },
  dark: { Icon: MoonIcon, next: 'auto' },
  auto: { Icon: ScreenIcon, next: 'light' },
} as const satisfies Record<ColourScheme, { readonly Icon: unknown; readonly next: ColourScheme }>;

/** Light, dark or system; each press selects the next. */
export function ColourSchemeChoice() {
  const [scheme, choose] = useColourScheme();
  const { Icon, next } = SCHEMES[scheme];
  const label = texts.coloursLabel({ scheme, next });
  return (
    <IconButton aria-label={label} title={label} onClick={() => choose(next)}>
      <Icon size={16} />
    </IconButton>
  );
}
