import type { OfferedLanguage } from '../../contract/interactions/boot.ts'
import { BoundedMap } from '../bounded-map.ts'
import { toStandardTag } from './standard-tag.ts'

/**
 * Returns the languages for the language picker, each under its own name, in alphabetical order (ADR-0032). The region
 * is added only if two languages would otherwise have the same name, as in "Português (Brasil)".
 */
export function languageNames(tags: readonly string[]): OfferedLanguage[] {
  const named = tags.map((tag) => ({ tag, name: nameOf(tag, 'language') }))
  const isUnique = (name: string) => named.filter((other) => other.name === name).length === 1
  return named
    .map(({ tag, name }) => ({
      tag,
      name: isUnique(name) ? name : nameOf(tag, 'languageAndRegion'),
      ...(toStandardTag(tag) !== tag && { lang: toStandardTag(tag) }),
    }))
    .sort((one, other) => (sortKey(one.name) < sortKey(other.name) ? -1 : 1))
}

/**
 * Returns a sort key that does not depend on the reader's language, so that the list stays the same when the language
 * changes. The key ignores accents and follows Unicode's order of scripts, with Hangul decomposed into letters.
 * `Intl.Collator` is avoided, because creating the first one in a process takes 9 ms.
 */
const sortKey = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/**
 * Language names, taken from Chromium, for tags that the `Intl` of Workers names badly. That `Intl` supports only some
 * eighty languages, abbreviates some names ("Indonesia" for Bahasa Indonesia), and adds a country to others instead of
 * a script.
 */
const namesMissingFromIntl: Readonly<Record<string, string>> = {
  'as-IN': 'অসমীয়া',
  'az-AZ': 'Azərbaycan dili',
  'be-BY': 'Беларуская',
  'br-FR': 'Brezhoneg',
  'cb-IQ': 'کوردیی ناوەندی',
  'co-FR': 'Corsu',
  'cx-PH': 'Cebuano',
  'cy-GB': 'Cymraeg',
  'eo-EO': 'Esperanto',
  'eu-ES': 'Euskara',
  'ff-NG': 'Fulfulde',
  'fo-FO': 'Føroyskt',
  'fy-NL': 'Frysk',
  'ga-IE': 'Gaeilge',
  'gl-ES': 'Galego',
  'gn-PY': 'Avañe’ẽ',
  'ha-NG': 'Hausa',
  'ht-HT': 'Kreyòl ayisyen',
  'hy-AM': 'Հայերեն',
  id: 'Bahasa Indonesia',
  'id-ID': 'Bahasa Indonesia',
  'ik-US': 'Iñupiatun',
  'is-IS': 'Íslenska',
  'iu-CA': 'ᐃᓄᒃᑎᑐᑦ',
  'ja-KS': '日本語（関西弁）',
  'jv-ID': 'Basa Jawa',
  'ka-GE': 'ქართული',
  'km-KH': 'ខ្មែរ',
  'ku-TR': 'Kurmancî',
  'ky-KG': 'Кыргызча',
  'lo-LA': 'ລາວ',
  'mg-MG': 'Malagasy',
  'mk-MK': 'Македонски',
  'mn-MN': 'Монгол',
  'ms-MY': 'Bahasa Melayu',
  'mt-MT': 'Malti',
  'my-MM': 'မြန်မာ',
  'ne-NP': 'नेपाली',
  'nn-NO': 'Norsk nynorsk',
  'or-IN': 'ଓଡ଼ିଆ',
  'pa-IN': 'ਪੰਜਾਬੀ',
  'ps-AF': 'پښتو',
  'rw-RW': 'Ikinyarwanda',
  'sc-IT': 'Sardu',
  'si-LK': 'සිංහල',
  'sn-ZW': 'ChiShona',
  'sq-AL': 'Shqip',
  'sy-SY': 'ܣܘܪܝܝܐ',
  'sz-PL': 'Ślōnskŏ gŏdka',
  'tg-TJ': 'Тоҷикӣ',
  'tt-RU': 'Татарча',
  'tz-MA': 'Tamaziɣt',
  'uz-UZ': 'Oʻzbekcha',
  'zh-CN': '简体中文',
  'zh-HK': '繁體中文（香港）',
  'zh-MO': '繁體中文（澳門）',
  'zh-TW': '繁體中文',
  'zz-TR': 'Zazaki',
}

type NamedParts = 'language' | 'languageAndRegion'

/** Names are cached, because looking them up with `Intl` takes longer than rendering a page. */
const cachedNames = new BoundedMap<string, string>(500)

function nameOf(tag: string, parts: NamedParts): string {
  const key = `${tag} ${parts}`
  const name = cachedNames.get(key) ?? namesMissingFromIntl[tag] ?? nameByIntl(toStandardTag(tag), parts)
  cachedNames.set(key, name)
  return name
}

function nameByIntl(tag: string, parts: NamedParts): string {
  const { language } = new Intl.Locale(tag)
  // With the style "dialect" instead of "standard", "British English" and "Vlaams" would appear next to "English
  // (United States)".
  const names = new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' })
  return capitalized(names.of(parts === 'language' ? language : tag) ?? tag, tag)
}

/**
 * Capitalizes a name, because many languages write their own name in lower case within a sentence. Georgian names stay
 * unchanged, because Georgian capitals are used only in headlines.
 */
function capitalized(name: string, tag: string): string {
  const [first = ''] = name
  return /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(first)
    ? first.toLocaleUpperCase(tag) + name.slice(first.length)
    : name
}
