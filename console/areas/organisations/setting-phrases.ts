import { phrases } from '../../phrases.ts'

/** The phrases about the settings of an organisation. The names of fields are their paths in the API. */
export const settingPhrases = phrases({
  en: {
    basics: 'Basics',
    nameHint: 'Members see it on the sign-in pages and in messages.',
    customData: 'Custom data',
    customDataLead: 'JSON that your applications store with the organization. Members don’t see it.',
    brand: 'Brand',
    brandLead: 'Replaces the logo and the color of the tenant when somebody signs in for this organization.',
    'brand.logo': 'Logo',
    'brand.logoDark': 'Logo for the dark theme',
    'brand.color': 'Brand color',
    ownColor: 'Use a color of its own',
    'brand.isPublic': 'Show the brand before the sign-in',
    isPublicHint:
      'Anyone who knows the ID of the organization can then see its name and logo, even without being a member.',
    preview: 'Preview of the brand',
    button: 'Continue',
    policy: 'Policy',
    policyLead:
      'Members have to meet these rules to act for the organization, in addition to the rules of the tenant.',
    'policy.methods': 'Allowed ways to sign in',
    methodsHint: 'If none is ticked, every way that the tenant offers is allowed.',
    password: 'Password',
    code: 'Verification code',
    passkey: 'Passkey',
    social: 'Social account',
    'policy.secondFactor': 'Who needs a second factor',
    policyStrictest: 'If the tenant, the application or a role requires more, the strictest policy applies.',
    'policy.sessionMaxAgeSeconds': 'Seconds until members have to sign in again',
    sessionHint: 'At least 300. Leave empty for no limit.',
    'policy.networks': 'Networks',
    networksHint:
      'Members can act for the organization only from these networks. One per line, such as 203.0.113.0/24. Leave empty for all networks.',
  },
  de: {
    basics: 'Allgemeines',
    nameHint: 'Mitglieder sehen ihn auf den Anmeldeseiten und in Nachrichten.',
    customData: 'Eigene Daten',
    customDataLead: 'JSON, das Ihre Anwendungen mit der Organisation speichern. Mitglieder sehen es nicht.',
    brand: 'Marke',
    brandLead: 'Ersetzt Logo und Farbe des Mandanten, wenn sich jemand für diese Organisation anmeldet.',
    'brand.logo': 'Logo',
    'brand.logoDark': 'Logo für das dunkle Erscheinungsbild',
    'brand.color': 'Markenfarbe',
    ownColor: 'Eigene Farbe verwenden',
    'brand.isPublic': 'Marke schon vor der Anmeldung zeigen',
    isPublicHint:
      'Wer die ID der Organisation kennt, sieht dann ihren Namen und ihr Logo, auch ohne Mitglied zu sein.',
    preview: 'Vorschau der Marke',
    button: 'Weiter',
    policy: 'Richtlinie',
    policyLead:
      'Diese Regeln müssen Mitglieder erfüllen, um für die Organisation zu handeln, zusätzlich zu denen des Mandanten.',
    'policy.methods': 'Erlaubte Arten der Anmeldung',
    methodsHint: 'Ist keine angekreuzt, sind alle erlaubt, die der Mandant anbietet.',
    password: 'Passwort',
    code: 'Bestätigungscode',
    passkey: 'Passkey',
    social: 'Soziales Konto',
    'policy.secondFactor': 'Zweiter Faktor erforderlich für',
    policyStrictest:
      'Verlangen der Mandant, die Anwendung oder eine Rolle mehr, gilt die strengste Richtlinie.',
    'policy.sessionMaxAgeSeconds': 'Sekunden, nach denen sich Mitglieder erneut anmelden müssen',
    sessionHint: 'Mindestens 300. Leer lassen, wenn es keine Grenze gibt.',
    'policy.networks': 'Netze',
    networksHint:
      'Nur aus diesen Netzen können Mitglieder für die Organisation handeln. Eines pro Zeile, etwa 203.0.113.0/24. Leer lassen für alle Netze.',
  },
})
