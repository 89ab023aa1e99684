/**
 * Returns the BCP 47 form of a language tag, for `lang` attributes and for `Intl`. Most tags are already in this form.
 */
export function toStandardTag(tag: string): string {
  return standardTags[tag] ?? tag
}

/**
 * Known language tags (spec/experience#known-languages) that the BCP 47 registry lacks or assigns to another language.
 */
const standardTags: Readonly<Record<string, string>> = {
  'ar-AR': 'ar', // AR is the country code of Argentina
  'cb-IQ': 'ckb-IQ',
  'cx-PH': 'ceb-PH',
  'eo-EO': 'eo',
  'ja-KS': 'ja', // the Kansai dialect has no code
  'sy-SY': 'syr-SY',
  'sz-PL': 'szl-PL',
  'tl-PH': 'fil-PH',
  'tz-MA': 'tzm-MA',
  'zz-TR': 'zza-TR',
}
