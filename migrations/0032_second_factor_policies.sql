ALTER TABLE `applications` ADD `second_factor_policy` text;--> statement-breakpoint
ALTER TABLE `roles` ADD `second_factor_policy` text;