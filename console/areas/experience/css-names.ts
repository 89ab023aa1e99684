/**
 * The class and variable names that custom CSS may rely on (spec/pages#css-classes, spec/experience#css-variables), as
 * listed in docs/guides/theming.md.
 */
export const cssNames = [
  ['.vestibule-page', 'page'],
  ['.vestibule-main', 'main'],
  ['.vestibule-branding', 'branding'],
  ['.vestibule-picture', 'picture'],
  ['.vestibule-custom-content', 'content'],
  ['.vestibule-signature', 'signature'],
  ['.light .dark .desktop .mobile', 'body'],
  ['--radius', 'radius'],
  ['--max-width', 'width'],
  ['--font-family', 'font'],
  ['--color-bg-body', 'ground'],
  ['--color-brand-fill --color-brand-text', 'fill'],
  ['--color-brand-readable', 'readable'],
] as const
