-- A column that was added to a table takes no CHECK. By hand, because drizzle-kit knows no triggers.
CREATE TRIGGER `terms_policy_insert` BEFORE INSERT ON `sign_in_experiences`
WHEN NEW.agree_to_terms_policy NOT IN ('Automatic', 'ManualRegistrationOnly', 'Manual') BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: agree_to_terms_policy_value');
END;
--> statement-breakpoint
CREATE TRIGGER `terms_policy_update` BEFORE UPDATE OF agree_to_terms_policy ON `sign_in_experiences`
WHEN NEW.agree_to_terms_policy NOT IN ('Automatic', 'ManualRegistrationOnly', 'Manual') BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: agree_to_terms_policy_value');
END;
