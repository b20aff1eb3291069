import { drawIcon } from '#web/ui/icons.tsx';

export const MinusIcon = drawIcon(<path d="M5 12h14" />);
export const FitWidthIcon = drawIcon(
  <path d="M4 5v14M20 5v14M7 12h10M9.5 9 7 12l2.5 3M14.5 9l2.5 3-2.5 3" />,
);
export const FitPageIcon = drawIcon(
  <path d="M6 3h12v18H6zM12 7v10M9.5 9 12 6.5 14.5 9M9.5 15l2.5 2.5 2.5-2.5" />,
);
export const RotateIcon = drawIcon(<path d="M19 12a7 7 0 1 1-2.5-5.4M17 3v4h-4" />);
export const DetachIcon = drawIcon(<path d="M14 4h6v6M20 4l-8 8M10 5H4v15h15v-6" />);
