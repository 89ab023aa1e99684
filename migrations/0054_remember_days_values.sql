-- Columns that were added to tables take no CHECK. By hand, because drizzle-kit knows no triggers.
CREATE TRIGGER `roles_remember_days_insert` BEFORE INSERT ON `roles`
WHEN NEW.remember_days IS NOT NULL AND NEW.remember_days <> 0 BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: remember_days_value');
END;
--> statement-breakpoint
CREATE TRIGGER `roles_remember_days_update` BEFORE UPDATE OF remember_days ON `roles`
WHEN NEW.remember_days IS NOT NULL AND NEW.remember_days <> 0 BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: remember_days_value');
END;
--> statement-breakpoint
CREATE TRIGGER `applications_remember_days_insert` BEFORE INSERT ON `applications`
WHEN NEW.remember_days IS NOT NULL AND NEW.remember_days <> 0 BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: remember_days_value');
END;
--> statement-breakpoint
CREATE TRIGGER `applications_remember_days_update` BEFORE UPDATE OF remember_days ON `applications`
WHEN NEW.remember_days IS NOT NULL AND NEW.remember_days <> 0 BEGIN
	SELECT raise(ABORT, 'CHECK constraint failed: remember_days_value');
END;
