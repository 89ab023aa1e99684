import { phrases } from '../../phrases.ts'

/** The texts about the roles and the consents of a user. */
export const accessTexts = phrases({
  en: {
    anotherRole: 'Another role',
    choose: 'Choose one',
    consents: 'Consents',
    consentsLead: 'What the user allows to applications of third parties.',
    giveRole: 'Give the role',
    granted: 'Allowed',
    noConsents: 'The user has allowed nothing to an application of a third party.',
    noRoles: 'The user has no role.',
    oldSignIn: 'To give it back you have to sign in again: your last sign-in is too long ago.',
    roleGiven: '{name} is given',
    roleTaken: '{name} is taken away',
    roleIsAbove: 'This role allows more than your roles do, so you cannot give it.',
    since1: 'Since',
    takeRole: 'Take away',
    takeOwnRole: 'Take {name} from yourself?',
    takeOwnRoleLead:
      'You lose at once what this role lets you do here. You may not be able to give it back to yourself: another administrator would have to.',
    withdraw: 'Withdraw',
    withdrawLead:
      'The application loses everything that the user has allowed, and its tokens. The next sign-in to it asks again.',
  },
  de: {
    anotherRole: 'Weitere Rolle',
    choose: 'Bitte wählen',
    consents: 'Einwilligungen',
    consentsLead: 'Was der Benutzer Anwendungen von Dritten erlaubt.',
    giveRole: 'Rolle zuweisen',
    granted: 'Erlaubt',
    noConsents: 'Der Benutzer hat keiner Anwendung von Dritten etwas erlaubt.',
    noRoles: 'Der Benutzer hat keine Rolle.',
    oldSignIn:
      'Um sie wieder zuzuweisen, müssen Sie sich erneut anmelden: Ihre letzte Anmeldung liegt zu lange zurück.',
    roleGiven: '{name} ist zugewiesen',
    roleTaken: '{name} ist entzogen',
    roleIsAbove: 'Diese Rolle erlaubt mehr als Ihre Rollen; Sie können sie nicht zuweisen.',
    since1: 'Seit',
    takeRole: 'Entziehen',
    takeOwnRole: '{name} sich selbst entziehen?',
    takeOwnRoleLead:
      'Sie verlieren sofort, was diese Rolle Ihnen hier erlaubt. Vielleicht können Sie sie sich nicht wieder zuweisen; dann muss es ein anderer Administrator tun.',
    withdraw: 'Widerrufen',
    withdrawLead:
      'Die Anwendung verliert alles, was der Benutzer erlaubt hat, und ihre Tokens. Bei der nächsten Anmeldung dort wird er erneut gefragt.',
  },
})
