import { phrases } from '../phrases.ts'

/** Of whom a second factor is asked: a tenant, a role and an application say it alike (spec/accounts#second-factor-policy). */
export const policyTexts = phrases({
  en: {
    label: 'Who needs a second factor',
    strictest: 'The strictest policy applies: of the tenant, the user’s roles and the application.',
    inherited: 'As the tenant requires',
    neverRemembered: 'Ask even in remembered browsers',
    neverRememberedHint: 'Users can’t skip the second factor because they used this browser before.',
    off: 'Nobody',
    adaptive: 'Users whose sign-in is unusual',
    optional: 'Users who have one',
    prompt: 'Everybody, but setting one up can be postponed',
    required: 'Everybody',
  },
  de: {
    label: 'Wer einen zweiten Faktor braucht',
    strictest:
      'Es gilt die strengste Richtlinie: die des Mandanten, der Rollen des Benutzers oder der Anwendung.',
    inherited: 'Wie vom Mandanten vorgegeben',
    neverRemembered: 'Auch in gemerkten Browsern fragen',
    neverRememberedHint: 'Benutzer können ihren zweiten Faktor hier nicht für Tage auslassen.',
    off: 'Niemand',
    adaptive: 'Benutzer, deren Anmeldung ungewöhnlich ist',
    optional: 'Benutzer, die einen haben',
    prompt: 'Alle, das Einrichten lässt sich aber aufschieben',
    required: 'Alle',
  },
})
