/** A language tag as everybody but contract 5.3 writes it, for `lang` attributes and for `Intl`. Most are it already. */
export function standardTag(tag: string): string {
  return standardTags[tag] ?? tag
}

/** Tags of contract 5.3 that no registry of languages or regions knows, or knows as something else (BCP 47). */
const standardTags: Readonly<Record<string, string>> = {
  'ar-AR': 'ar', // AR is Argentina
  'cb-IQ': 'ckb-IQ',
  'cx-PH': 'ceb-PH',
  'eo-EO': 'eo',
  'ja-KS': 'ja', // of Kansai, which has no code
  'sy-SY': 'syr-SY',
  'sz-PL': 'szl-PL',
  'tl-PH': 'fil-PH',
  'tz-MA': 'tzm-MA',
  'zz-TR': 'zza-TR',
}
