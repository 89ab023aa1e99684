import type { Branding, Color, PageLayout } from '../../../src/contract/experience.ts'
import { phrases, useT } from '../../phrases.ts'
import { Switch, TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { ColorField } from './color-field.tsx'
import { CssHelp } from './css-help.tsx'
import { CustomContent } from './custom-content.tsx'
import { PictureField, UploadNotice } from './picture-field.tsx'
import type { PartProps, SettingsForm } from './settings.ts'

export const texts = phrases({
  en: {
    brand: 'Name and logo',
    name: 'Name',
    nameHint: 'What users know you by: in titles, on pages and in messages.',
    logo: 'Logo',
    darkLogo: 'Logo for the dark theme',
    favicon: 'Favicon',
    colors: 'Colors',
    primary: 'Brand color',
    dark: 'Dark theme',
    darkHint: 'Pages follow the theme of the user’s system.',
    darkPrimary: 'Brand color in the dark theme',
    layout: 'Layout',
    Card: 'Card',
    Split: 'With a picture',
    Plain: 'Plain',
    picture: 'Picture beside the form',
    css: 'Custom CSS',
    cssHint: 'After the styles of the product, on every page.',
  },
  de: {
    brand: 'Name und Logo',
    name: 'Name',
    nameHint: 'Unter diesem Namen kennen die Benutzer Sie: in Titeln, auf Seiten und in Nachrichten.',
    logo: 'Logo',
    darkLogo: 'Logo für das dunkle Erscheinungsbild',
    favicon: 'Favicon',
    colors: 'Farben',
    primary: 'Markenfarbe',
    dark: 'Dunkles Erscheinungsbild',
    darkHint: 'Die Seiten richten sich nach dem System des Benutzers.',
    darkPrimary: 'Markenfarbe im dunklen Erscheinungsbild',
    layout: 'Layout',
    Card: 'Karte',
    Split: 'Mit Bild',
    Plain: 'Schlicht',
    picture: 'Bild neben dem Formular',
    css: 'Eigenes CSS',
    cssHint: 'Gilt nach den Stilen des Produkts, auf jeder Seite.',
  },
})

const layouts = ['Card', 'Split', 'Plain'] as const satisfies PageLayout['type'][]

/** Name, logo, colours, layout and the operator's own CSS and HTML. */
export function BrandSettings(form: PartProps) {
  const t = useT(texts)
  const { settings, change, problems, isReadOnly } = form
  const { branding, layout, customCss } = settings
  // An upload ends while other fields may have been changed.
  const brand = (changes: Partial<Branding>) =>
    change((now) => ({ branding: { ...now.branding, ...changes } }))
  const picture = (name: 'logoUrl' | 'darkLogoUrl' | 'favicon') => ({
    value: branding[name],
    problem: problems[`branding.${name}`],
    isDisabled: isReadOnly,
    onChange: (value: string | undefined) => brand({ [name]: value }),
  })
  return (
    <>
      <Colors {...form} />
      <Card title={t('brand')}>
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          value={branding.name ?? ''}
          problem={problems['branding.name']}
          isDisabled={isReadOnly}
          onChange={(name) => brand({ name: name || undefined })}
        />
        <UploadNotice />
        <PictureField label={t('logo')} {...picture('logoUrl')} />
        {settings.color.isDarkModeEnabled && (
          <PictureField label={t('darkLogo')} ground="dark" {...picture('darkLogoUrl')} />
        )}
        <PictureField label={t('favicon')} {...picture('favicon')} />
      </Card>
      <Card title={t('layout')}>
        <Segments
          label={t('layout')}
          value={layout.type}
          options={layouts.map((value) => ({ value, label: t(value) }))}
          isDisabled={isReadOnly}
          onChange={(type) => change({ layout: { type } })}
        />
        {layout.type === 'Split' && <UploadNotice />}
        {layout.type === 'Split' && (
          <PictureField
            label={t('picture')}
            value={layout.pictureUrl}
            problem={problems['layout.pictureUrl']}
            isDisabled={isReadOnly}
            onChange={(pictureUrl) =>
              change((now) => (now.layout.type === 'Split' ? { layout: { type: 'Split', pictureUrl } } : {}))
            }
          />
        )}
      </Card>
      <Card title={t('css')}>
        <TextField
          label={t('css')}
          isLabelHidden
          hint={t('cssHint')}
          rows={8}
          isCode
          value={customCss ?? ''}
          problem={problems.customCss}
          isDisabled={isReadOnly}
          onChange={(css) => change({ customCss: css || null })}
        />
        <CssHelp />
      </Card>
      <CustomContent {...form} />
    </>
  )
}

function Colors({ settings: { color }, change, problems, isReadOnly }: SettingsForm) {
  const t = useT(texts)
  const set = (changes: Partial<Color>) => change({ color: { ...color, ...changes } })
  return (
    <Card title={t('colors')}>
      <ColorField
        label={t('primary')}
        value={color.primaryColor}
        problem={problems['color.primaryColor']}
        isDisabled={isReadOnly}
        onChange={(primaryColor) => set({ primaryColor })}
      />
      <Switch
        label={t('dark')}
        hint={t('darkHint')}
        isSelected={color.isDarkModeEnabled}
        isDisabled={isReadOnly}
        onChange={(isDarkModeEnabled) => set({ isDarkModeEnabled })}
      />
      {color.isDarkModeEnabled && (
        <ColorField
          label={t('darkPrimary')}
          value={color.darkPrimaryColor}
          problem={problems['color.darkPrimaryColor']}
          isDisabled={isReadOnly}
          onChange={(darkPrimaryColor) => set({ darkPrimaryColor })}
        />
      )}
    </Card>
  )
}
